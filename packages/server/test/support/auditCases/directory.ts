import { directory } from '@privity/contract/directory'
import type { TestServer } from '../server/testServer.ts'
import { ask, receivedBy, switchDirectoryOn } from '../scenes/directory.ts'
import type { AuditCase } from './account.ts'

async function prepareRequest(server: TestServer) {
  await switchDirectoryOn(server)
  const [anna, ben] = [await server.signUp(), await server.signUp()]
  await ask(anna, ben)
  return { anna, ben, request: { params: { id: await receivedBy(ben) } } }
}

/** Every call that changes requests for a connection, by `METHOD path`. */
export const directoryCases: Record<string, AuditCase> = {
  'POST /api/connection-requests': {
    action: 'connection_requested',
    async prepare(server) {
      await switchDirectoryOn(server)
      const [anna, ben] = [await server.signUp(), await server.signUp()]
      return {
        fail: () => anna.refused(directory.request, { body: { userId: anna.user.id } }),
        succeed: () => anna.call(directory.request, { body: { userId: ben.user.id } }),
      }
    },
  },
  'POST /api/connection-requests/:id/accept': {
    action: ['connection_request_accepted', 'connection_created'],
    async prepare(server) {
      const { anna, ben, request } = await prepareRequest(server)
      return {
        fail: () => anna.refused(directory.accept, request),
        succeed: () => ben.call(directory.accept, request),
      }
    },
  },
  'POST /api/connection-requests/:id/decline': {
    action: 'connection_request_declined',
    async prepare(server) {
      const { anna, ben, request } = await prepareRequest(server)
      return {
        fail: () => anna.refused(directory.decline, request),
        succeed: () => ben.call(directory.decline, request),
      }
    },
  },
  'POST /api/connection-requests/:id/block': {
    action: 'connection_request_declined',
    async prepare(server) {
      const { anna, ben, request } = await prepareRequest(server)
      return {
        fail: () => anna.refused(directory.block, request),
        succeed: () => ben.call(directory.block, request),
      }
    },
  },
  'DELETE /api/connection-requests/:id': {
    action: 'connection_request_withdrawn',
    async prepare(server) {
      const { anna, ben, request } = await prepareRequest(server)
      return {
        fail: () => ben.refused(directory.withdraw, request),
        succeed: () => anna.call(directory.withdraw, request),
      }
    },
  },
}
