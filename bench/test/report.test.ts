import { expect, test } from 'vitest'
import type { Figures } from '../load/figures.ts'
import {
  columnsOf,
  figureTable,
  growthTable,
  perTenfold,
  ratio,
  ratioTable,
  shown,
  table,
  timesBetter,
} from '../load/report.ts'

const columns = columnsOf([50, 200], [1000, 5000])
const titled = (title: string) => {
  const column = columns.find((each) => each.title === title)
  if (column === undefined) throw new Error(title)
  return column
}
const turns = (...figures: Partial<Figures>[]): Figures[] => figures.map((each) => ({ others: [0], ...each }))

test('ahead is above 1, whether more or less is better', () => {
  const rate = titled('delivered/s, 50 pairs')
  expect(timesBetter(rate, turns({ fewPairs: 10_000 }), turns({ fewPairs: 1000 }))).toBe(10)
  const late = titled('p50, ms')
  expect(timesBetter(late, turns({ latencies: [1] }), turns({ latencies: [3] }))).toBe(3)
  expect(timesBetter(late, turns({ latencies: [3] }), turns({ latencies: [1] }))).toBeCloseTo(1 / 3)
})

test('rates are the median of the turns, latencies the quantile of all of them together', () => {
  const some = turns(
    { fewPairs: 100, latencies: [1, 1, 1] },
    { fewPairs: 900, latencies: [1, 1, 9] },
    { fewPairs: 300 },
  )
  expect(titled('delivered/s, 50 pairs').of(some)).toBe(300)
  expect(titled('p50, ms').of(some)).toBe(1)
  expect(titled('p99, ms').of(some)).toBe(9)
})

test('a machine that slows down from turn to turn changes no ratio of rates', () => {
  const [own, other] = [
    turns({ fewPairs: 8000 }, { fewPairs: 4000 }, { fewPairs: 2000 }),
    turns({ fewPairs: 4000 }, { fewPairs: 2000 }, { fewPairs: 1000 }),
  ]
  const rate = titled('delivered/s, 50 pairs')
  expect(ratio(rate, own, other)).toBe(2)
  expect(ratio(rate, own, other.slice(0, 1))).toBe(2)
  expect(ratio(rate, own, [])).toBeNaN()
})

test('memory is told by the number of clients, and only of turns that measured it', () => {
  const some = turns({ idle: { 1000: 30, 5000: 20 } }, {})
  expect(titled('KiB an idle client, 1,000').of(some)).toBe(30)
  expect(titled('5,000').of(some)).toBe(20)
})

test('a figure that no server has is no column, one that a server lacks is a dash', () => {
  const results = new Map([
    ['ours-sqlite', turns({ fewPairs: 4000, reconnect: 500, others: [12, 12] })],
    ['other', turns({ fewPairs: 1000 })],
  ])
  expect(figureTable(results, columns)).toBe(
    [
      '|  | delivered/s, 50 pairs | reconnect, ms | others |',
      '| --- | --: | --: | --: |',
      '| ours-sqlite | 4,000 | 500 | 12.0 % |',
      '| other | 1,000 | – | 0.00 % |',
    ].join('\n'),
  )
  expect(ratioTable(results, columns, 'ours-sqlite').split('\n').at(-1)).toBe('| other | 4.00 | – |')
})

test('figures have three digits that count', () => {
  expect([0.1234, 1.234, 12.34, 123.4, 12_345.6, Number.NaN].map(shown)).toEqual([
    '0.12',
    '1.23',
    '12.3',
    '123',
    '12,346',
    '–',
  ])
  expect(table(['a'], [['1']])).toBe('| a |\n| --- |\n| 1 |')
})

test('what a tenfold makes of a figure, over as many tenfolds as there are', () => {
  expect(perTenfold(0.25, [1, 100])).toBeCloseTo(0.5)
  expect(perTenfold(1, [1, 10, 100])).toBe(1)
  const results = new Map([
    ['sqlite-x1', turns({ pastRate: 1000 })],
    ['sqlite-x100', turns({ pastRate: 810 })],
  ])
  expect(growthTable(results, columns, (size) => `sqlite-x${size}`, [1, 100])).toBe(
    ['| a tenfold from sqlite-x1 to sqlite-x100, times | last 50 a second |', '| --- | --: |', '|  | 0.90 |'].join(
      '\n',
    ),
  )
})
