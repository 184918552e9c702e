import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeFlags } from '../../../../../scripts/nodeFlags.mjs'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

const connection = import.meta.resolve('../../../src/core/database/postgres/connect.ts')

/**
 * Script for a process of its own, as under `npm start`: prints the bytes by which the old generation grows without a
 * full garbage collection.
 */
const script = (url: string, each: string) => `
import { getHeapSpaceStatistics } from 'node:v8'
import { connect, end, sessionTimeouts, sendStatement } from '${connection}'
const old = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space').space_used_size
const client = await connect('${url}', sessionTimeouts.short)
const query = () => ({ name: 'one', text: 'select $1::text as one', values: ['x'.repeat(2000)] })
const some = async (count) => { for (let i = 0; i < count; i++) await ${each} }
await some(2000)
const before = old()
await some(5000)
console.log(old() - before)
end(client)
`

async function growth(each: string): Promise<number> {
  const flags = [...nodeFlags(1), '--max-semi-space-size=2', '--initial-old-space-size=256', '--input-type=module']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', script(server.url, each)])
  return Number(stdout)
}

test('a query of PostgreSQL and its rows are freed without a full garbage collection', async () => {
  // A query takes about 3 KB, including its value and its row.
  expect(await growth('sendStatement(client, query(), sessionTimeouts.short)')).toBeLessThan(1e6)
  // Control: the plain client exceeds the limit.
  expect(await growth('client.query(query())')).toBeGreaterThan(5e6)
})
