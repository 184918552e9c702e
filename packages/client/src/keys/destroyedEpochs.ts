import { limits } from '@privity/contract/limits'
import type { Clock } from '../transport/clock.ts'
import type { Device } from '../device/device.ts'
import { destroyedEpochsName } from '../device/storageNames.ts'

/** Number and signed date of an epoch. */
interface Dated {
  n: number
  createdAt: number
}

interface Kept extends Dated {
  /** Epochs dated ahead of now when this browser saw them, until `createdAt` has passed their date. */
  ahead?: readonly Dated[]
}

/** An account publishes four epochs a day at most; dishonest servers must not fill the device. */
const maxAhead = 100

/**
 * The user's own epochs whose seeds this browser has destroyed, so that a server that gives them again brings nothing
 * back. One that was made later under a number that was destroyed is another one: a restored backup counts anew.
 */
export interface DestroyedEpochs {
  has(epoch: Dated): boolean
  /** Remembers those dated ahead of now, so that none counts as made later once its date has come. */
  note(epochs: readonly Dated[]): void
  /** This epoch and all before it are destroyed. */
  raise(epoch: Dated): void
  /** Writes it to the device, where it stays at sign-out. */
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
      // A date ahead of now proves nothing: it was signed under a clock that was ahead.
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
        // Another tab may have raised it meanwhile.
        kept = merge(kept, await read())
        await device.set(name, kept)
      } catch (error) {
        isKept = false
        throw error
      }
    },
  }
}
