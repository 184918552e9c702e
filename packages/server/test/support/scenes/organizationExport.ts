import { auditLogs } from '@privity/contract/auditLogs'
import { session } from '@privity/contract/session'
import {
  type OrganizationVerdict,
  verifyOrganizationExport,
} from '../../../src/auditVerifier/organizationExportVerifier.ts'
import type { Member, TestServer } from '../server/testServer.ts'
import { createOrganization, join } from './organization.ts'

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export const verify = (text: string, key?: string, chunk = 64 * 1024): Promise<OrganizationVerdict> =>
  verifyOrganizationExport(inChunks(text, chunk), key)

export async function exportOf(administrator: Member): Promise<string> {
  const { downloadURL } = await administrator.call(auditLogs.createExport, { query: {} })
  const answer = await administrator.fetch(downloadURL)
  if (answer.status !== 200) throw new Error(`the export answered ${answer.status}`)
  return answer.text()
}

/** Creates entries of two organizations in alternation, with a head after every few. */
export async function createBusyLog(server: TestServer, rounds: number) {
  const [one, other] = [await createOrganization(server, 'One'), await createOrganization(server, 'Other')]
  const chief = await join(server, 'super_admin', { organizationId: one })
  const member = await join(server, 'user', { organizationId: one })
  const stranger = await join(server, 'super_admin', { organizationId: other })
  await server.connect(member, stranger)
  for (let round = 0; round < rounds; round++) {
    await member.call(session.generateCode, {})
    if (round % 2 === 0) await stranger.call(session.generateCode, {})
    if (round % 3 === 0) await chief.call(session.endOtherSessions, {})
    if (round % 4 === 3) await server.advance(60_000)
  }
  return { chief, member, stranger, organizationId: one }
}
