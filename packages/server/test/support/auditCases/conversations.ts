import { connections } from '@privity/contract/connections'
import { files } from '@privity/contract/files'
import { limits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import type { AuditCase } from './account.ts'
import { createTalk, deletionOf, grantFor, upload } from '../scenes/conversation.ts'

const counted = 'counted, not recorded: a record of who wrote to whom and when would betray the 24 hours'

/** Every state-changing call of connections, messages and files, by `METHOD path`. */
export const conversationCases: Record<string, AuditCase> = {
  'POST /api/connections': {
    action: 'connection_created',
    async prepare(server) {
      const [anna, ben] = [await server.signUp(), await server.signUp()]
      const to = ({ user }: typeof anna) => ({ body: { connectionCode: user.connectionCode } })
      return {
        fail: () => anna.refused(connections.create, to(anna)),
        succeed: () => anna.call(connections.create, to(ben)),
      }
    },
  },
  'PUT /api/connections/:id/lifetime': {
    action: 'message_lifetime_changed',
    async prepare(server) {
      const { anna, connection } = await createTalk(server)
      const body = { lifetime: limits.lifetimes[0] }
      return {
        fail: () => anna.refused(connections.setLifetime, { params: { id: anna.user.id }, body }),
        succeed: () => anna.call(connections.setLifetime, { params: { id: connection.id }, body }),
      }
    },
  },
  'DELETE /api/connections/:id': {
    action: 'connection_removed',
    async prepare(server) {
      const { anna, connection } = await createTalk(server)
      return {
        fail: () => anna.refused(connections.remove, { params: { id: anna.user.id } }),
        succeed: () => anna.call(connections.remove, { params: { id: connection.id } }),
      }
    },
  },
  'POST /api/connections/:id/block': {
    action: 'connection_removed',
    async prepare(server) {
      const { anna, connection } = await createTalk(server)
      return {
        fail: () => anna.refused(connections.block, { params: { id: anna.user.id } }),
        succeed: () => anna.call(connections.block, { params: { id: connection.id } }),
      }
    },
  },
  'DELETE /api/blocks/:id': {
    action: 'block_lifted',
    async prepare(server) {
      const { anna, ben, connection } = await createTalk(server)
      await anna.call(connections.block, { params: { id: connection.id } })
      const unblock = { params: { id: ben.user.id } }
      return {
        fail: () => ben.refused(connections.unblock, unblock),
        succeed: () => anna.call(connections.unblock, unblock),
      }
    },
  },
  'POST /api/former-contacts/:id/block': {
    action: 'former_contact_settled',
    async prepare(server) {
      const { anna, ben, connection } = await createTalk(server)
      await anna.call(connections.remove, { params: { id: connection.id } })
      return {
        fail: () => anna.refused(connections.blockFormer, { params: { id: anna.user.id } }),
        succeed: () => anna.call(connections.blockFormer, { params: { id: ben.user.id } }),
      }
    },
  },
  'DELETE /api/former-contacts/:id': {
    action: 'former_contact_settled',
    async prepare(server) {
      const { anna, ben, connection } = await createTalk(server)
      await ben.call(connections.remove, { params: { id: connection.id } })
      return {
        fail: () => anna.refused(connections.forgetFormer, { params: { id: anna.user.id } }),
        succeed: () => anna.call(connections.forgetFormer, { params: { id: ben.user.id } }),
      }
    },
  },
  'POST /api/messages': {
    action: { none: counted },
    async prepare(server) {
      const talk = await createTalk(server)
      return {
        fail: () => talk.anna.refused(messages.send, { body: { ...talk.text(talk.anna), content: 'plain' } }),
        succeed: () => talk.send(talk.anna),
      }
    },
  },
  'POST /api/messages/:id/delete': {
    action: 'message_deleted',
    async prepare(server) {
      const talk = await createTalk(server)
      const deletion = deletionOf(talk.anna, await talk.send(talk.anna))
      return {
        fail: () => talk.ben.refused(messages.delete, deletion),
        succeed: () => talk.anna.call(messages.delete, deletion),
      }
    },
  },
  'PUT /api/connections/:id/messages/read': {
    action: { none: counted },
    async prepare(server) {
      const talk = await createTalk(server)
      await talk.send(talk.anna)
      return {
        fail: () => talk.ben.refused(messages.markRead, { params: { id: talk.ben.user.id } }),
        succeed: () => talk.ben.call(messages.markRead, { params: { id: talk.connection.id } }),
      }
    },
  },
  'POST /api/objects/upload': {
    action: 'upload_created',
    async prepare(server) {
      const anna = await server.signUp()
      return { succeed: () => anna.call(files.createUpload, {}) }
    },
  },
  'PUT /api/files': {
    action: 'file_registered',
    async prepare(server) {
      const anna = await server.signUp()
      const { uploadURL: fileURL } = await upload(anna, 'x')
      return {
        fail: () => anna.refused(files.register, { body: { fileURL: '/elsewhere' } }),
        succeed: () => anna.call(files.register, { body: { fileURL } }),
      }
    },
  },
  'POST /api/file-authorizations/request': {
    action: 'file_access_requested',
    async prepare(server) {
      const talk = await createTalk(server)
      const { filePath } = await talk.sendFile(talk.anna)
      const nowhere = `/objects/${talk.anna.user.id}`
      return {
        fail: () => talk.ben.refused(files.request, { body: { filePath: nowhere } }),
        succeed: () => talk.ben.call(files.request, { body: { filePath } }),
      }
    },
  },
  'PATCH /api/file-authorizations/:id': {
    action: 'file_access_approved',
    async prepare(server) {
      const talk = await createTalk(server)
      const { filePath } = await talk.sendFile(talk.anna)
      const { authorizationId: id = '' } = await talk.ben.call(files.request, { body: { filePath } })
      const decision = { params: { id }, body: { authorize: true, grant: await grantFor(server, id) } }
      return {
        fail: () => talk.ben.refused(files.decide, decision),
        succeed: () => talk.anna.call(files.decide, decision),
      }
    },
  },
}
