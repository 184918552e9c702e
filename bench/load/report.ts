import type { Figures } from './figures.ts'
import { median, summary } from './stats.ts'

/** A column of the tables: a figure made from several turns, and which direction is better. */
export interface Column {
  title: string
  better: 'more' | 'less'
  of(turns: readonly Figures[]): number
  /** The figure of a single turn, if defined: the ratio is then the median of the ratios of neighbouring turns. */
  ofTurn?(turn: Figures): number | undefined
}

type Numbered = { [K in keyof Figures]: Figures[K] extends number | undefined ? K : never }[keyof Figures]

const isNumber = (value: number | undefined): value is number => value !== undefined && Number.isFinite(value)
const medianOf = (key: NonNullable<Numbered>): Pick<Column, 'of' | 'ofTurn'> => ({
  of: (turns) => median(turns.map((turn) => turn[key]).filter(isNumber)),
  ofTurn: (turn) => turn[key],
})
const quantileOf = (key: 'latencies' | 'pasts', which: 'p50' | 'p99' | 'p999'): Pick<Column, 'of'> => ({
  of: (turns) => summary(turns.flatMap((turn) => turn[key] ?? []))[which],
})

export const columnsOf = (pairs: readonly [number, number], steps: readonly number[]): Column[] => [
  { title: 'p50, ms', better: 'less', ...quantileOf('latencies', 'p50') },
  { title: 'p99, ms', better: 'less', ...quantileOf('latencies', 'p99') },
  { title: 'p99.9, ms', better: 'less', ...quantileOf('latencies', 'p999') },
  { title: `delivered/s, ${pairs[0]} pairs`, better: 'more', ...medianOf('fewPairs') },
  { title: `${pairs[1]} pairs`, better: 'more', ...medianOf('manyPairs') },
  { title: `CPU µs a message, ${pairs[0]} pairs`, better: 'less', ...medianOf('fewCost') },
  { title: `${pairs[1]} pairs`, better: 'less', ...medianOf('manyCost') },
  ...steps.map((step, i): Column => ({
    title: `${i === 0 ? 'KiB an idle client, ' : ''}${step.toLocaleString('en')}`,
    better: 'less',
    of: (turns) => median(turns.flatMap((turn) => turn.idle?.[step] ?? [])),
  })),
  { title: 'reconnect, ms', better: 'less', ...medianOf('reconnect') },
  { title: 'last 50, p50 ms', better: 'less', ...quantileOf('pasts', 'p50') },
  { title: 'last 50 a second', better: 'more', ...medianOf('pastRate') },
]

/** Formats a value with three significant digits and at most two decimals. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

/** The ratio of `ones` to `others`: the median over neighbouring turns if the column has a figure per turn. */
export function ratio({ of, ofTurn }: Column, ones: readonly Figures[], others: readonly Figures[]): number {
  if (ofTurn === undefined) return of(ones) / of(others)
  const inTurn = (turns: readonly Figures[], i: number) => (turns[i] && ofTurn(turns[i])) ?? Number.NaN
  return median(ones.map((_, i) => inTurn(ones, i) / inTurn(others, i)).filter(isNumber))
}

/** How many times better `own` is than `others`: above 1 means better, in either direction of the column. */
export const timesBetter = (column: Column, own: readonly Figures[], others: readonly Figures[]): number =>
  column.better === 'more' ? ratio(column, own, others) : ratio(column, others, own)

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n')
}

export type Results = ReadonlyMap<string, readonly Figures[]>

/** The figures of each server, and the load of the rest of the machine meanwhile. */
export function figureTable(results: Results, columns: readonly Column[]): string {
  const filled = filledOf(results, columns)
  const rows = [...results].map(([name, turns]) => [
    name,
    ...filled.map((column) => shown(column.of(turns))),
    `${shown(median(turns.flatMap(({ others }) => others)))} %`,
  ])
  return table(['', ...filled.map(({ title }) => title), 'others'], rows)
}

/** How many times better `ours` is than every other server, by figure. */
export function ratioTable(results: Results, columns: readonly Column[], ours: string): string {
  const filled = filledOf(results, columns)
  const own = results.get(ours) ?? []
  const others = [...results].filter(([name]) => name !== ours)
  const rows = others.map(([name, turns]) => [name, ...filled.map((column) => shown(timesBetter(column, own, turns)))])
  return table([`${ours} against`, ...filled.map(({ title }) => title)], rows)
}

const filledOf = (results: Results, columns: readonly Column[]) =>
  columns.filter((column) => [...results.values()].some((turns) => Number.isFinite(column.of(turns))))

/** The mean factor per tenfold of the data, for a figure that grows by `whole` over all sizes; 1 means no growth. */
export function perTenfold(whole: number, sizes: readonly number[]): number {
  const tenfolds = Math.log10((sizes.at(-1) ?? 1) / (sizes[0] ?? 1))
  return whole ** (1 / tenfolds)
}

/** A table with the factor by which each figure grows per tenfold of the data. */
export function growthTable(
  results: Results,
  columns: readonly Column[],
  nameOf: (size: number) => string,
  sizes: readonly number[],
): string {
  const filled = filledOf(results, columns)
  const turnsOf = (size: number | undefined) => results.get(nameOf(size ?? 0)) ?? []
  const law = filled.map((column) => perTenfold(ratio(column, turnsOf(sizes.at(-1)), turnsOf(sizes[0])), sizes))
  const head = `a tenfold from ${nameOf(sizes[0] ?? 0)} to ${nameOf(sizes.at(-1) ?? 0)}, times`
  return table([head, ...filled.map(({ title }) => title)], [['', ...law.map(shown)]])
}
