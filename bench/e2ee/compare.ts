/** Times of one comparison: milliseconds per operation, and the ratio bare/ours of each round. */
export interface Comparison {
  name: string
  bare: number
  ours: number
  /** Median over the rounds of bare time / our time; 1 is as fast as the bare primitives. */
  ratio: number
  lowest: number
  highest: number
  rounds: number
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] as number

async function time(work: (index: number) => Promise<unknown>, operations: number): Promise<number> {
  const start = performance.now()
  for (let index = 0; index < operations; index++) await work(index)
  return (performance.now() - start) / operations
}

/**
 * Interleaves the two: each round runs a block of each, in alternating order, so that other load on the machine affects
 * both alike. The `warmUp` rounds are not counted.
 */
export async function compare(
  name: string,
  bare: (index: number) => Promise<unknown>,
  ours: (index: number) => Promise<unknown>,
  { operations, rounds, warmUp }: { operations: number; rounds: number; warmUp: number },
): Promise<Comparison> {
  const times: { bare: number; ours: number }[] = []
  for (let round = 0; round < warmUp + rounds; round++) {
    const oursFirst = round % 2 === 1
    const first = await time(oursFirst ? ours : bare, operations)
    const second = await time(oursFirst ? bare : ours, operations)
    if (round >= warmUp) times.push(oursFirst ? { bare: second, ours: first } : { bare: first, ours: second })
  }
  const ratios = times.map((round) => round.bare / round.ours)
  return {
    name,
    bare: median(times.map((round) => round.bare)),
    ours: median(times.map((round) => round.ours)),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    rounds,
  }
}
