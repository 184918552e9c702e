import { moderation } from '@privity/contract/founder/moderation'
import { messageReports } from '@privity/contract/messageReports'
import type { AuditCase } from './account.ts'
import { signInFounder } from '../founder/founder.ts'
import { random } from '../server/memberKeys.ts'
import { makeReport, reportBy, reportKeyOf } from '../founder/moderation.ts'
import { createTalk } from '../scenes/conversation.ts'

/** Every state-changing call of moderation, by `METHOD path`. */
export const moderationCases: Record<string, AuditCase> = {
  'POST /api/message-reports': {
    action: 'message_reported',
    async prepare(server) {
      const talk = await createTalk(server)
      const body = reportBy(talk.ben, await talk.send(talk.anna), await reportKeyOf(server, talk.ben))
      return {
        fail: () => talk.anna.refused(messageReports.create, { body }),
        succeed: () => talk.ben.call(messageReports.create, { body }),
      }
    },
  },
  'POST /api/founder/scan-messages': {
    action: 'messages_scanned',
    async prepare(server) {
      const founder = await signInFounder(server)
      const talk = await createTalk(server)
      for (let i = 0; i < 20; i++) await talk.send(talk.anna)
      return { succeed: () => founder.call(moderation.scan, {}) }
    },
  },
  'POST /api/founder/unflag-messages': {
    action: 'message_unflagged',
    async prepare(server) {
      const founder = await signInFounder(server)
      await makeReport(server, await createTalk(server))
      const [flag] = await founder.call(moderation.flagged, { query: {} })
      return {
        fail: () => founder.refused(moderation.unflagSeveral, { body: { ids: [] } }),
        succeed: () => founder.call(moderation.unflagSeveral, { body: { ids: [flag?.id as string] } }),
      }
    },
  },
  'DELETE /api/founder/flag-message/:id': {
    action: 'message_unflagged',
    async prepare(server) {
      const founder = await signInFounder(server)
      await makeReport(server, await createTalk(server))
      const [flag] = await founder.call(moderation.flagged, { query: {} })
      const nobody = '01890000-0000-7000-8000-000000000000'
      return {
        fail: () => founder.refused(moderation.unflag, { params: { id: nobody } }),
        succeed: () => founder.call(moderation.unflag, { params: { id: flag?.id as string } }),
      }
    },
  },
  'POST /api/founder/check-receipt': {
    action: { none: 'reads, and uses nothing up' },
    async prepare(server) {
      const founder = await signInFounder(server)
      const { anna, ben, send } = await createTalk(server)
      const { id: messageId, createdAt, receipt } = await send(anna)
      const facts = { commitment: random(32), identityKey: random(32), messageId, createdAt, receipt }
      const claim = { ...facts, from: anna.user.id, to: ben.user.id }
      return {
        fail: () => founder.call(moderation.checkReceipt, { body: { ...claim, receipt: random(32) } }),
        succeed: () => founder.call(moderation.checkReceipt, { body: claim }),
      }
    },
  },
}
