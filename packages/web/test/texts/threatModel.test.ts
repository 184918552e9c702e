import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { blocksOf, spansOf } from '../../src/features/legal/markdown.ts'

const read = (name: string) => blocksOf(readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8'))

/** Form of each block without its words, which must be the same in every language. */
const formOf = (name: string) =>
  read(name).map((block) => {
    if (block.kind === 'table') return `table of ${block.rows.length} rows, ${block.head.length} columns`
    if (block.kind === 'list') return `list of ${block.items.length}`
    if (block.kind === 'heading') return `heading ${block.level}`
    const [first] = spansOf(block.text)
    return `paragraph${first?.kind === 'strong' ? ' with a name' : ''}`
  })

test('the threat model says in German, block for block, what it says in English', () => {
  expect(formOf('threat-model.de.md')).toEqual(formOf('threat-model.md'))
})

test('either is about as long as the other: nothing was added to one of them only', () => {
  const words = (name: string) =>
    read(name).map((block) => (block.kind === 'paragraph' ? block.text.split(/\s+/).length : 0))
  const german = words('threat-model.de.md')
  for (const [i, count] of words('threat-model.md').entries())
    expect((german[i] ?? 0) / Math.max(count, 1), `block ${i}`).toSatisfy(
      (ratio: number) => count < 12 || (ratio > 0.7 && ratio < 1.3),
    )
})
