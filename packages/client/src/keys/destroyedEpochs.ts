import { limits } from '@privity/contract/limits'
import type { Clock } from '../transport/clock.ts'
import type { Device } from '../device/device.ts'
import { destroyedEpochsName } from '../device/storageNames.ts'
import type { Tabs } from '../device/tabs.ts'

/** Number and signed time of an epoch. */
interface EpochDate {
  n: number
  createdAt: number
}

interface State extends EpochDate {
  /** Epochs whose date was in the future when this browser saw them; dropped once `createdAt` reaches their date. */
  ahead?: readonly EpochDate[]
}

/** Those of several weeks; a dishonest server must not fill the device. */
const maxAhead = 100

/**
 * The user's own epochs whose seeds this browser has destroyed, so that a server cannot bring them back. An epoch with
 * the same number and a later date is a different one: a server restored from a backup assigns numbers again.
 */
export interface DestroyedEpochs {
  has(epoch: EpochDate): boolean
  /** Remembers epochs dated in the future, so that none of them passes for a different one once that time comes. */
  addAhead(epochs: readonly EpochDate[]): void
  /** Marks this epoch and all before it as destroyed. */
  raise(epoch: EpochDate): void
  /** Saves to the device, where it stays after sign-out. */
  save(): Promise<void>
}

export async function openDestroyedEpochs(
  { device, tabs, clock }: { device: Device; tabs: Pick<Tabs, 'runExclusive'>; clock: Clock },
  userId: string,
): Promise<DestroyedEpochs> {
  const name = destroyedEpochsName(userId)
  const read = async (): Promise<State> => ((await device.get(name)) as State | undefined) ?? { n: 0, createdAt: 0 }
  const isSame = (a: EpochDate, b: EpochDate) => a.n === b.n && a.createdAt === b.createdAt
  const isAhead = (state: State, epoch: EpochDate) => (state.ahead ?? []).some((each) => isSame(each, epoch))
  function merge(a: State, b: State): State {
    const createdAt = Math.max(a.createdAt, b.createdAt)
    const added = (b.ahead ?? []).filter((epoch) => !isAhead(a, epoch))
    const ahead = [...(a.ahead ?? []), ...added].filter((epoch) => epoch.createdAt > createdAt)
    return { n: Math.max(a.n, b.n), createdAt, ahead: ahead.slice(-maxAhead) }
  }
  let state = await read()
  let isSaved = true
  function add(more: State): void {
    const merged = merge(state, more)
    if (isSame(merged, state) && merged.ahead?.length === (state.ahead ?? []).length) return
    state = merged
    isSaved = false
  }
  return {
    has(epoch) {
      const { n, createdAt } = epoch
      // A future date proves nothing: the clock that signed it was ahead.
      const isLater = createdAt > state.createdAt && createdAt <= clock.now() + limits.clockTolerance
      return n <= state.n && (!isLater || isAhead(state, epoch))
    },
    addAhead(epochs) {
      const ahead = epochs.filter(({ createdAt }) => createdAt > clock.now() + limits.clockTolerance)
      if (ahead.length > 0) add({ n: 0, createdAt: 0, ahead: ahead.map(({ n, createdAt }) => ({ n, createdAt })) })
    },
    raise({ n, createdAt }) {
      const now = clock.now()
      if (n > 0) add({ n, createdAt: Math.min(createdAt, now), ahead: createdAt > now ? [{ n, createdAt }] : [] })
    },
    async save() {
      if (isSaved) return
      isSaved = true
      try {
        await tabs.runExclusive(`privity-${name}`, async () => {
          // Merged first, because another tab may have saved more.
          state = merge(state, await read())
          await device.set(name, state)
        })
      } catch (error) {
        isSaved = false
        throw error
      }
    },
  }
}
