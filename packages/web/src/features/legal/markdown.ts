/** The Markdown blocks that the product's documents use. */
export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'table'; head: string[]; rows: string[][] }

export interface Span {
  text: string
  kind?: 'strong' | 'code' | 'link'
  href?: string
}

const cells = (row: string) =>
  row
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())

function blockOf(part: string): Block {
  const lines = part.split('\n')
  const heading = /^(#{1,4}) (.*)$/.exec(part)
  if (heading) return { kind: 'heading', level: (heading[1] ?? '').length, text: heading[2] ?? '' }
  if (part.startsWith('|')) {
    const [head = '', , ...rows] = lines
    return { kind: 'table', head: cells(head), rows: rows.map(cells) }
  }
  const joined = (text: string) => text.replace(/\s*\n\s*/g, ' ').trim()
  if (part.startsWith('- ')) return { kind: 'list', items: part.slice(2).split(/\n- /).map(joined) }
  return { kind: 'paragraph', text: joined(part) }
}

export const blocksOf = (markdown: string): Block[] =>
  markdown
    .trim()
    .split(/\n{2,}/)
    .map(blockOf)

/** Splits text into plain, bold, code and link spans. */
export function spansOf(text: string): Span[] {
  const spans: Span[] = []
  let end = 0
  for (const match of text.matchAll(/\*\*(.+?)\*\*|`(.+?)`|\[(.+?)\]\((.+?)\)/g)) {
    if (match.index > end) spans.push({ text: text.slice(end, match.index) })
    const [whole, strong, code, label, href] = match
    if (strong !== undefined) spans.push({ kind: 'strong', text: strong })
    else if (code !== undefined) spans.push({ kind: 'code', text: code })
    else spans.push({ kind: 'link', text: label ?? '', href })
    end = match.index + whole.length
  }
  if (end < text.length) spans.push({ text: text.slice(end) })
  return spans
}
