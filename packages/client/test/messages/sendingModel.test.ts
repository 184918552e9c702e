import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type Command, commands, createRun } from '../support/sendingModel/run.ts'
import { createKeys } from '../support/sendingModel/browser.ts'
import { watchCrypto } from '../support/sendingModel/time.ts'

const operations = Number(process.env['MODEL_OPERATIONS'] ?? 1_000)
const seed = Number(process.env['MODEL_SEED'] ?? 1)
/** On average, in one run; the length is left to what shrinks them. */
const perRun = 60

/** More by MODEL_OPERATIONS, others by MODEL_SEED; MODEL_PATH goes straight to what was found. */
test(
  'each message arrives once and in order, or shows why not, in any order of events',
  { timeout: 24 * 60 * 60 * 1000, retry: 0 },
  async () => {
    onTestFinished(watchCrypto())
    const keys = await createKeys()
    let done = 0
    const property = fc.asyncProperty(fc.nat(), fc.array(commands, { maxLength: 2 * perRun, size: 'max' }), holds)
    async function holds(random: number, all: Command[]): Promise<void> {
      const run = createRun(keys, random)
      for (const each of all) await run.step(each)
      done += all.length
      expect(await run.finish()).toEqual([])
    }
    const { MODEL_PATH: path, MODEL_AS_FOUND: asFound } = process.env
    await fc.assert(property, {
      seed,
      numRuns: Math.ceil(operations / perRun),
      endOnFailure: asFound === '1',
      ...(path && { path }),
    })
    process.stdout.write(`${done} operations, seed ${seed}\n`)
  },
)
