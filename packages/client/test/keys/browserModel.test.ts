import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Command, commands, createAccount, createRun } from '../support/browserModel/run.ts'

const operations = Number(process.env['BROWSER_OPERATIONS'] ?? 20)
const seed = Number(process.env['BROWSER_SEED'] ?? 1)
/** On average, in one run; the length is left to what shrinks them. */
const perRun = 20

/**
 * The client's keys and list against the rules of the server. More by BROWSER_OPERATIONS, others by BROWSER_SEED;
 * BROWSER_PATH goes straight to what was found, BROWSER_AS_FOUND=1 leaves it as long as it was.
 */
test(
  'no seed is lost to a browser that was listed, and none alarms falsely, in any history',
  { timeout: 24 * 60 * 60 * 1000, retry: 0 },
  async () => {
    const account = await createAccount()
    let done = 0
    async function holds(random: number, all: Command[]): Promise<void> {
      const run = createRun(account, random)
      for (const each of all) {
        await run.step(each)
        expect(run.wrong).toEqual([])
      }
      done += all.length
      expect(await run.finish()).toEqual([])
    }
    const commandList = fc.array(commands as fc.Arbitrary<Command>, { maxLength: 2 * perRun, size: 'max' })
    const { BROWSER_PATH: path, BROWSER_AS_FOUND: asFound } = process.env
    await fc.assert(fc.asyncProperty(fc.nat(), commandList, holds), {
      seed,
      numRuns: Math.ceil(operations / perRun),
      endOnFailure: asFound === '1',
      ...(path && { path }),
    })
    process.stdout.write(`${done} operations, seed ${seed}\n`)
  },
)
