import type { FastifyInstance } from 'fastify'
import { messages } from '@privity/contract/messages'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { countUnread, listMessages, markRead } from './messages.ts'
import { deleteMessage } from './deletion.ts'
import { getProgress } from './progress.ts'
import { storeDeliveryReceipts } from './deliveryReceipts.ts'
import { createReceipts } from './encryptedContent.ts'
import { createSender } from './send.ts'

export function mountMessages(app: FastifyInstance, core: Core): void {
  const receipts = createReceipts(core.secrets)
  const sendMessage = createSender(core, receipts)
  implement(app, core, messages, {
    list: ({ caller, params, query }) => listMessages(core, receipts, caller.userId, params.id, query),
    async send({ caller, body, reply }) {
      const { message, isRepeated } = await sendMessage(caller, body)
      if (isRepeated) reply.code(messages.send.otherStatus.status)
      return message
    },
    delete: ({ caller, params, body }) => deleteMessage(core, receipts, caller, { id: params.id, ...body }),
    async markRead({ caller, params }) {
      await markRead(core, caller.userId, params.id)
      return {}
    },
    unreadCounts: ({ caller }) => countUnread(core, caller.userId),
    progress: ({ caller, params }) => getProgress(core, caller.userId, params.id),
  })
  storeDeliveryReceipts(core)
}
