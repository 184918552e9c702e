import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeFlags } from '../nodeFlags.mjs'

test('on one core the server starts with fewer threads, by flags that the pinned Node knows', () => {
  const flags = nodeFlags(1)
  expect(flags).not.toEqual([])
  const { status, stderr } = spawnSync(process.execPath, [...flags, '--eval', '0'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(nodeFlags(2)).toEqual(['--no-allocation-site-pretenuring'])
})

test('a container is started with the flags of several cores', () => {
  const command = /^CMD (.*)$/m.exec(readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8'))?.[1] ?? ''
  expect(JSON.parse(command)).toEqual(['node', ...nodeFlags(2), 'packages/server/src/main.ts'])
})
