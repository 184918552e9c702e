import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { collectorFlags } from '../collector.mjs'

test('on one core the server starts without helpers of the collector, by flags that the pinned Node knows', () => {
  const flags = collectorFlags(1)
  expect(flags).not.toEqual([])
  const { status, stderr } = spawnSync(process.execPath, [...flags, '--eval', '0'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(collectorFlags(2)).toEqual([])
})
