import type { Figures } from './figures.ts'
import { median, summary } from './stats.ts'

/** A column of the tables: a figure made of several rounds, and which way is better. */
export interface Column {
  title: string
  better: 'more' | 'less'
  of(rounds: readonly Figures[]): number
}

type Numbered = { [K in keyof Figures]: Figures[K] extends number | undefined ? K : never }[keyof Figures]

const medianOf = (key: NonNullable<Numbered>) => (rounds: readonly Figures[]) =>
  median(rounds.map((round) => round[key]).filter((value) => value !== undefined))
const quantileOf = (key: 'latencies' | 'pasts', which: 'p50' | 'p99' | 'p999') => (rounds: readonly Figures[]) =>
  summary(rounds.flatMap((round) => round[key] ?? []))[which]

export const columnsOf = (pairs: readonly [number, number], steps: readonly number[]): Column[] => [
  { title: 'p50, ms', better: 'less', of: quantileOf('latencies', 'p50') },
  { title: 'p99, ms', better: 'less', of: quantileOf('latencies', 'p99') },
  { title: 'p99.9, ms', better: 'less', of: quantileOf('latencies', 'p999') },
  { title: `delivered/s, ${pairs[0]} pairs`, better: 'more', of: medianOf('fewPairs') },
  { title: `${pairs[1]} pairs`, better: 'more', of: medianOf('manyPairs') },
  { title: `CPU µs a message, ${pairs[0]} pairs`, better: 'less', of: medianOf('fewCost') },
  { title: `${pairs[1]} pairs`, better: 'less', of: medianOf('manyCost') },
  ...steps.map((step, i): Column => ({
    title: `${i === 0 ? 'KiB an idle client, ' : ''}${step.toLocaleString('en')}`,
    better: 'less',
    of: (rounds) => median(rounds.flatMap((round) => round.idle?.[step] ?? [])),
  })),
  { title: 'reconnect, ms', better: 'less', of: medianOf('reconnect') },
  { title: 'last 50, p50 ms', better: 'less', of: quantileOf('pasts', 'p50') },
  { title: 'last 50 a second', better: 'more', of: medianOf('pastRate') },
]

/** Three digits that count, and no more behind the point than anybody reads. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

/** How many times better `one` is than `other`: above 1 it is ahead, whichever way the column counts. */
export const timesBetter = ({ better }: Column, one: number, other: number): number =>
  better === 'more' ? one / other : other / one

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n')
}

export type Results = ReadonlyMap<string, readonly Figures[]>

/** The figures of each server, and what else the machine did meanwhile. */
export function figureTable(results: Results, columns: readonly Column[]): string {
  const filled = filledOf(results, columns)
  const rows = [...results].map(([name, rounds]) => [
    name,
    ...filled.map((column) => shown(column.of(rounds))),
    `${shown(Math.max(...rounds.map((round) => round.others)))} %`,
  ])
  return table(['', ...filled.map(({ title }) => title), 'others'], rows)
}

/** How many times better `ours` is than every other, figure by figure. */
export function ratioTable(results: Results, columns: readonly Column[], ours: string): string {
  const filled = filledOf(results, columns)
  const own = results.get(ours) ?? []
  const others = [...results].filter(([name]) => name !== ours)
  const rows = others.map(([name, rounds]) => [
    name,
    ...filled.map((column) => shown(timesBetter(column, column.of(own), column.of(rounds)))),
  ])
  return table([`${ours} against`, ...filled.map(({ title }) => title)], rows)
}

const filledOf = (results: Results, columns: readonly Column[]) =>
  columns.filter((column) => [...results.values()].some((rounds) => Number.isFinite(column.of(rounds))))

/** What each tenfold of the data makes of a figure, in the mean: 1 where it stays as it is. */
export function perTenfold(first: number, last: number, sizes: readonly number[]): number {
  const tenfolds = Math.log10((sizes.at(-1) ?? 1) / (sizes[0] ?? 1))
  return (last / first) ** (1 / tenfolds)
}

/** What a tenfold of the data makes of each figure. */
export function growthTable(
  results: Results,
  columns: readonly Column[],
  nameOf: (size: number) => string,
  sizes: readonly number[],
): string {
  const filled = filledOf(results, columns)
  const roundsOf = (size: number | undefined) => results.get(nameOf(size ?? 0)) ?? []
  const law = filled.map((column) =>
    perTenfold(column.of(roundsOf(sizes[0])), column.of(roundsOf(sizes.at(-1))), sizes),
  )
  const head = `a tenfold from ${nameOf(sizes[0] ?? 0)} to ${nameOf(sizes.at(-1) ?? 0)}, times`
  return table([head, ...filled.map(({ title }) => title)], [['', ...law.map(shown)]])
}
