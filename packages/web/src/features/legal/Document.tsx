import { Fragment } from 'react'
import { Link } from 'wouter'
import { defaultLanguage, durationWords, type Language } from '@privity/contract/languages'
import { limits } from '@privity/contract/limits'
import { type Block, blocksOf, spansOf } from './markdown.ts'
import { lifetime } from '../../i18n/retention.ts'
import './document.css'

function Line({ text }: { text: string }) {
  return spansOf(text).map((span, i) => {
    if (span.kind === 'strong') return <strong key={i}>{span.text}</strong>
    if (span.kind === 'code') return <code key={i}>{span.text}</code>
    if (span.kind !== 'link' || !span.href) return <Fragment key={i}>{span.text}</Fragment>
    if (span.href.startsWith('/'))
      return (
        <Link key={i} href={span.href}>
          {span.text}
        </Link>
      )
    // Links to other files of the repository have no page in the product, so render only their text.
    if (!span.href.startsWith('https://')) return <Fragment key={i}>{span.text}</Fragment>
    return (
      <a key={i} href={span.href} rel="noreferrer">
        {span.text}
      </a>
    )
  })
}

function Part({ block }: { block: Block }) {
  if (block.kind === 'heading') {
    const Heading = block.level === 1 ? 'h1' : block.level === 2 ? 'h2' : 'h3'
    return (
      <Heading className={block.level === 1 ? 'h-page' : undefined}>
        <Line text={block.text} />
      </Heading>
    )
  }
  if (block.kind === 'list')
    return (
      <ul>
        {block.items.map((item) => (
          <li key={item}>
            <Line text={item} />
          </li>
        ))}
      </ul>
    )
  if (block.kind === 'table')
    return (
      <div className="doc-table" role="region" tabIndex={0} aria-label={block.head[0]}>
        <table role="table">
          <thead role="rowgroup">
            <tr role="row">
              {block.head.map((cell) => (
                <th key={cell} role="columnheader" scope="col">
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {block.rows.map((row) => (
              <tr key={row[0]} role="row">
                {row.map((cell, i) => (
                  <td key={i} role="cell" data-l={block.head[i]}>
                    <Line text={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )
  return (
    <p>
      <Line text={block.text} />
    </p>
  )
}

export function Document({ markdown }: { markdown: string }) {
  return (
    <article className="doc">
      {blocksOf(markdown).map((block, i) => (
        <Part key={i} block={block} />
      ))}
    </article>
  )
}

const documents = import.meta.glob<string>(['./*.md', '../../../../../docs/threat-model*.md'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Paths of the documents, to which the language and `.md` are added (`.de.md`), and in English only `.md`. */
const paths = { terms: './terms', privacy: './privacy', threatModel: '../../../../../docs/threat-model' }

export type DocumentName = keyof typeof paths

/** The document's Markdown with the times that this server keeps. */
export const documentText = (name: DocumentName, language: Language): string =>
  (documents[`${paths[name]}${language === defaultLanguage ? '' : `.${language}`}.md`] ?? '')
    .replaceAll('{lifetime}', lifetime[language])
    .replaceAll('{formerContactKept}', durationWords(limits.formerContactKept, language))
