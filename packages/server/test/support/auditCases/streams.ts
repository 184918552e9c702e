import { downloadPath, files, uploadPath } from '@privity/contract/files'
import { platformExportPath } from '@privity/contract/founder/auditExport'
import { moderation } from '@privity/contract/founder/moderation'
import { founderSupportRequests } from '@privity/contract/founder/supportRequests'
import { support } from '@privity/contract/support'
import type { AuditCase } from './account.ts'
import type { Caller } from '../server/caller.ts'
import { signInFounder } from '../founder/founder.ts'
import { makeReport } from '../founder/moderation.ts'
import { approve, createTalk, randomFile } from '../scenes/conversation.ts'

async function succeeding(caller: Caller, path: string, init: RequestInit = {}): Promise<void> {
  const answer = await caller.fetch(path, init)
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status} ${text}`)
}

async function failing(caller: Caller, path: string, init: RequestInit = {}): Promise<void> {
  const { status } = await caller.fetch(path, init)
  if (status < 400) throw new Error(`${path} answered ${status}`)
}

/**
 * Calls outside the JSON contract (the bytes of files), and GETs that leave an entry: a download, an export of the
 * logs, and the founder's look at what a member wrote or reported.
 */
export const streamCases: Record<string, AuditCase> = {
  [`PUT ${uploadPath}`]: {
    action: 'file_uploaded',
    usesUp: ['uploads'],
    async prepare(server) {
      const [anna, ben] = [await server.signUp(), await server.signUp()]
      const { uploadURL } = await anna.call(files.createUpload, {})
      const init = { method: 'PUT', body: 'x', headers: { 'content-type': 'application/octet-stream' } }
      return { fail: () => failing(ben, uploadURL, init), succeed: () => succeeding(anna, uploadURL, init) }
    },
  },
  [`GET ${downloadPath}`]: {
    action: 'file_downloaded',
    async prepare(server) {
      const talk = await createTalk(server)
      const stranger = await server.signUp()
      const { filePath } = await talk.sendFile(talk.anna, randomFile(100))
      await approve(talk.anna, talk.ben, filePath)
      return { fail: () => failing(stranger, filePath), succeed: () => succeeding(talk.ben, filePath) }
    },
  },
  [`GET ${founderSupportRequests.get.path}`]: {
    action: 'support_request_opened',
    async prepare(server) {
      const [founder, member] = [await signInFounder(server), await server.signUp()]
      const body = { subject: 'Help', category: 'general', message: 'Please.' } as const
      const { id } = await member.call(support.create, { body })
      const nobody = { params: { id: member.user.id } }
      return {
        fail: () => founder.refused(founderSupportRequests.get, nobody),
        succeed: () => founder.call(founderSupportRequests.get, { params: { id } }),
      }
    },
  },
  [`GET ${moderation.report.path}`]: {
    action: 'report_opened',
    async prepare(server) {
      const founder = await signInFounder(server)
      await makeReport(server, await createTalk(server))
      // Filtered by rule: flags of the same millisecond have no order, and a scan may have set another one.
      const [flag] = await founder.call(moderation.flagged, { query: { rule: 'report' } })
      const params = { id: flag?.id as string }
      const nobody = { params: { id: '01890000-0000-7000-8000-000000000000' }, query: {} }
      return {
        fail: () => founder.refused(moderation.report, nobody),
        succeed: () => founder.call(moderation.report, { params, query: {} }),
      }
    },
  },
  [`GET ${platformExportPath}`]: {
    action: 'platform_logs_exported',
    async prepare(server) {
      const founder = await signInFounder(server)
      const path = `${platformExportPath}?format=csv&startDate=2026-01-01&endDate=2026-01-31`
      return { fail: () => failing(server.visitor(), path), succeed: () => succeeding(founder, path) }
    },
  },
}
