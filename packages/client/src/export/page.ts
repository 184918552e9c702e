import type { DecryptedMessage } from '../types.ts'
import { nameOf } from './records.ts'
import type { Conversation, ExportTexts } from './types.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escape = (text: string) => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)

/** The page loads and runs nothing, no matter what a message contains. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 62ch; margin: 2rem auto; padding: 0 1rem }
ol { list-style: none; padding: 0 }
li { margin: 0 0 1rem; padding: .5rem .75rem; border: 1px solid; border-radius: 8px }
li.me { margin-left: 3rem }
li.contact { margin-right: 3rem }
p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
small { opacity: .75 }
`

function sentenceOf({ body }: DecryptedMessage, texts: ExportTexts): string {
  if (body.kind === 'text') return body.text
  if (body.kind === 'deleted') return texts.deleted
  return body.kind === 'unreadable' ? texts.unreadable(body.reason) : texts.file(body.name, body.size)
}

/** Renders a conversation as a page that works offline in any browser. */
export function renderConversation(conversation: Conversation, madeAt: number, texts: ExportTexts): string {
  const name = nameOf(conversation)
  const title = escape(texts.conversationWith(name))
  const rows = conversation.messages.map((message) => {
    const author = message.mine ? texts.you : name
    const [from, time] = [escape(author), escape(texts.time(message.createdAt))]
    return `<li class="${message.mine ? 'me' : 'contact'}"><small><b>${from}</b> · ${time}</small>
<p>${escape(sentenceOf(message, texts))}</p></li>`
  })
  return `<!doctype html>
<html lang="${escape(texts.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
<p><small>${escape(texts.madeAt(texts.time(madeAt)))}</small></p>
${rows.length === 0 ? `<p>${escape(texts.empty)}</p>` : `<ol>\n${rows.join('\n')}\n</ol>`}
</body>
</html>
`
}
