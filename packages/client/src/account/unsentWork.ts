import type { Account } from './account.ts'
import type { Device } from '../device/device.ts'
import { draftPrefix, outboxPrefix } from '../device/storageNames.ts'
import type { Store } from '../transport/store.ts'
import type { Transfer } from '../types.ts'

/** What signing out discards. */
export interface Unsent {
  /** Messages and files that wait, are on their way or have failed. */
  sendings: boolean
  /** Texts that were typed and not sent. */
  drafts: boolean
}

export interface UnsentDeps {
  account: Pick<Account, 'state'>
  device: Device
  transfers: Store<readonly Transfer[]>
}

const isUpload = ({ kind, phase }: Transfer) => kind === 'upload' && phase !== 'done' && phase !== 'cancelled'

/** Also what other tabs wrote; nothing where the device does not say. */
export function createUnsent({ account, device, transfers }: UnsentDeps): () => Promise<Unsent> {
  const keeps = async (prefix: string) => (await device.names(prefix).catch(() => [])).length > 0
  return async () => {
    const state = account.state.get()
    if (!('user' in state)) return { sendings: false, drafts: false }
    const { id } = state.user
    return {
      sendings: transfers.get().some(isUpload) || (await keeps(outboxPrefix(id))),
      drafts: await keeps(draftPrefix(id)),
    }
  }
}
