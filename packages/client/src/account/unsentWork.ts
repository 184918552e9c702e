import type { Account } from './types.ts'
import type { Device } from '../device/device.ts'
import { draftPrefix, outboxPrefix } from '../device/storageNames.ts'
import type { Store } from '../transport/store.ts'
import type { Transfer } from '../types.ts'

/** Unsent work that signing out would discard. */
export interface UnsentWork {
  /** Messages and files that wait, are being sent or have failed. */
  outgoing: boolean
  /** Texts that were typed and not sent. */
  drafts: boolean
}

export interface UnsentWorkDeps {
  account: Pick<Account, 'state'>
  device: Device
  transfers: Store<readonly Transfer[]>
}

const isUpload = ({ kind, phase }: Transfer) => kind === 'upload' && phase !== 'done' && phase !== 'cancelled'

/** Includes the work of other tabs; counts nothing where the device cannot be read. */
export function createUnsentWork({ account, device, transfers }: UnsentWorkDeps): () => Promise<UnsentWork> {
  const hasAny = async (prefix: string) => (await device.names(prefix).catch(() => [])).length > 0
  return async () => {
    const state = account.state.get()
    if (!('user' in state)) return { outgoing: false, drafts: false }
    const { id } = state.user
    return {
      outgoing: transfers.get().some(isUpload) || (await hasAny(outboxPrefix(id))),
      drafts: await hasAny(draftPrefix(id)),
    }
  }
}
