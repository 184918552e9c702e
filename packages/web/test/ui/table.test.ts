import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DataTable } from '../../src/ui/table/DataTable.tsx'
import { type Column, readSorting, type Sorting, sortedBy, spellSorting } from '../../src/ui/table/columns.ts'

type Key = 'name' | 'joined'
interface Person {
  id: string
}
const keys: readonly Key[] = ['name', 'joined']

test('a column that orders the rows already is turned round; another begins ascending', () => {
  expect(sortedBy<Key>({ by: 'name', descending: false }, 'name')).toEqual({ by: 'name', descending: true })
  expect(sortedBy<Key>({ by: 'name', descending: true }, 'name')).toEqual({ by: 'name', descending: false })
  expect(sortedBy<Key>({ by: 'name', descending: true }, 'joined')).toEqual({ by: 'joined', descending: false })
})

test('an order is read from an address as it was written there, and nothing else is', () => {
  for (const by of keys)
    for (const descending of [true, false])
      expect(readSorting(spellSorting({ by, descending }), keys)).toEqual({ by, descending })
  expect(['', '-', 'password', '--name', 'Name'].map((text) => readSorting(text, keys))).toEqual(
    Array.from({ length: 5 }),
  )
})

test('a table tells its order, and each value carries the name of its column', () => {
  const columns: Column<Person, Key>[] = [
    { label: 'Name', sort: 'name', placeholder: 10, cell: ({ id }) => id },
    { label: 'Joined', sort: 'joined', placeholder: 10, cell: ({ id }) => `${id} joined` },
    { label: 'Actions', right: true, placeholder: 10, cell: () => null },
  ]
  const draw = (sorting: Sorting<Key>, rows: Person[] | undefined) =>
    renderToStaticMarkup(
      createElement(DataTable<Person, Key>, {
        label: 'People',
        columns,
        rows,
        sorting,
        onSort: () => {},
        isOff: ({ id }) => id === 'Jonas',
      }),
    )
  const drawn = draw({ by: 'joined', descending: true }, [{ id: 'Helen' }, { id: 'Jonas' }])
  expect(drawn.match(/aria-sort="\w+"[^>]*>.*?<\/th>/g)).toHaveLength(1)
  expect(drawn).toMatch(/aria-sort="descending"[^>]*><button[^>]*>Joined/)
  expect(drawn).toContain('data-l="Joined"')
  expect(drawn).toMatch(/<tr[^>]*class="is-off"[^>]*><th[^>]*>Jonas/)
  expect(drawn.match(/(?<=<option value=")[^"]+/g)).toEqual(['name', '-name', 'joined', '-joined'])
  expect(draw({ by: 'name', descending: false }, undefined)).toContain('aria-busy="true"')
})
