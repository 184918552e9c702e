import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type Command, commands, createRun } from '../../support/orderModel/run.ts'
import { lies } from '../../support/orderModel/lies.ts'
import { omissions, omissionUnnoticed, releaseUnnoticed } from '../../support/orderModel/omissions.ts'
import { createPeople } from '../../support/orderModel/people.ts'
import { createScene, histories, type Scene } from '../../support/orderModel/scene.ts'
import { watchCrypto } from '../../support/sendingModel/time.ts'

const operations = Number(process.env['MODEL_OPERATIONS'] ?? 1_000)
const seed = Number(process.env['MODEL_SEED'] ?? 1)
/** On average, in one run; the length is left to what shrinks them. */
const perRun = 60

/** More by MODEL_OPERATIONS, others by MODEL_SEED; MODEL_PATH goes straight to what was found. */
test(
  'an honest server is never accused, whatever network, tabs and lifetimes do',
  { timeout: 24 * 60 * 60 * 1000, retry: 0 },
  async () => {
    onTestFinished(watchCrypto())
    const people = await createPeople()
    let done = 0
    const property = fc.asyncProperty(fc.nat(), fc.array(commands, { maxLength: 2 * perRun, size: 'max' }), holds)
    async function holds(random: number, all: Command[]): Promise<void> {
      const run = await createRun(people, random)
      for (const each of all) await run.step(each)
      done += all.length
      expect(await run.finish()).toEqual([])
    }
    const { MODEL_PATH: path } = process.env
    await fc.assert(property, { seed, numRuns: Math.ceil(operations / perRun), ...(path && { path }) })
    process.stdout.write(`${done} operations, seed ${seed}\n`)
  },
)

const unnoticed: Record<string, (scene: Scene) => Promise<string[]>> = {
  ...lies,
  ...Object.fromEntries(
    Object.entries(omissions).map(([name, each]) => [name, (scene: Scene) => omissionUnnoticed(scene, each)]),
  ),
  release: releaseUnnoticed,
}
const { MODEL_LIE: only } = process.env

test(
  'a server that drops, delays, reorders, redates, repeats or renumbers messages is noticed',
  { timeout: 24 * 60 * 60 * 1000, retry: 0 },
  async () => {
    onTestFinished(watchCrypto())
    const people = await createPeople()
    let done = 0
    for (const lie of only ? only.split(',') : Object.keys(unnoticed)) {
      const property = fc.asyncProperty(histories, async (history) => {
        const scene = await createScene(people, history)
        expect(await unnoticed[lie]?.(scene), lie).toEqual([])
        scene.end()
        done += history.turns.length
      })
      await fc.assert(property, { seed, numRuns: Math.ceil(operations / 1_000) })
    }
    process.stdout.write(`${done} messages and lies about them, seed ${seed}\n`)
  },
)
