import { limits } from '@privity/contract/limits'
import type { Clock } from '../transport/clock.ts'
import type { Device } from '../device/device.ts'
import { destroyedEpochsName } from '../device/storageNames.ts'

/** Number and signed time of an epoch. */
interface Dated {
  n: number
  createdAt: number
}

interface Kept extends Dated {
  /** Epochs dated ahead of now when this browser saw them, until `createdAt` has passed their date. */
  ahead?: readonly Dated[]
}

/** An account publishes at most four epochs a day; a dishonest server must not fill the device. */
const maxAhead = 100

/**
 * The user's own epochs whose seeds this browser has destroyed, so that a server cannot bring them back. A later epoch
 * under the same number is a different one: a restored backup numbers anew.
 */
export interface DestroyedEpochs {
  has(epoch: Dated): boolean
  /** Remembers epochs dated in the future, so that none passes as a later one once its time has come. */
  note(epochs: readonly Dated[]): void
  /** Marks this epoch and all before it as destroyed. */
  raise(epoch: Dated): void
  /** Saves to the device, where it stays after sign-out. */
  keep(): Promise<void>
}

export async function openDestroyedEpochs(device: Device, clock: Clock, userId: string): Promise<DestroyedEpochs> {
  const name = destroyedEpochsName(userId)
  const read = async (): Promise<Kept> => ((await device.get(name)) as Kept | undefined) ?? { n: 0, createdAt: 0 }
  const isSame = (one: Dated, other: Dated) => one.n === other.n && one.createdAt === other.createdAt
  const isAhead = (kept: Kept, epoch: Dated) => (kept.ahead ?? []).some((each) => isSame(each, epoch))
  function merge(one: Kept, other: Kept): Kept {
    const createdAt = Math.max(one.createdAt, other.createdAt)
    const added = (other.ahead ?? []).filter((epoch) => !isAhead(one, epoch))
    const ahead = [...(one.ahead ?? []), ...added].filter((epoch) => epoch.createdAt > createdAt)
    return { n: Math.max(one.n, other.n), createdAt, ahead: ahead.slice(-maxAhead) }
  }
  let kept = await read()
  let isKept = true
  function add(more: Kept): void {
    const merged = merge(kept, more)
    if (isSame(merged, kept) && merged.ahead?.length === (kept.ahead ?? []).length) return
    kept = merged
    isKept = false
  }
  return {
    has(epoch) {
      const { n, createdAt } = epoch
      // A future date proves nothing: the clock that signed it was ahead.
      const isLater = createdAt > kept.createdAt && createdAt <= clock.now() + limits.clockTolerance
      return n <= kept.n && (!isLater || isAhead(kept, epoch))
    },
    note(epochs) {
      const ahead = epochs.filter(({ createdAt }) => createdAt > clock.now() + limits.clockTolerance)
      if (ahead.length > 0) add({ n: 0, createdAt: 0, ahead: ahead.map(({ n, createdAt }) => ({ n, createdAt })) })
    },
    raise({ n, createdAt }) {
      const now = clock.now()
      if (n > 0) add({ n, createdAt: Math.min(createdAt, now), ahead: createdAt > now ? [{ n, createdAt }] : [] })
    },
    async keep() {
      if (isKept) return
      isKept = true
      try {
        // Merged first, because another tab may have saved more.
        kept = merge(kept, await read())
        await device.set(name, kept)
      } catch (error) {
        isKept = false
        throw error
      }
    },
  }
}
