import { limits } from '@privity/contract/limits'
import type { Clock } from './clock.ts'
import type { Device } from './device.ts'
import { destroyedEpochsName } from './keptNames.ts'

/** Number and signed date of an epoch. */
interface Dated {
  n: number
  createdAt: number
}

/**
 * The user's own epochs whose seeds this browser has destroyed, so that a server that gives them again brings nothing
 * back. One that was made later under a number that was destroyed is another one: a restored backup counts anew.
 */
export interface DestroyedEpochs {
  has(epoch: Dated): boolean
  /** This epoch and all before it are destroyed. */
  raise(epoch: Dated): void
  /** Writes it to the device, where it stays at sign-out. */
  keep(): Promise<void>
}

export async function openDestroyedEpochs(device: Device, clock: Clock, userId: string): Promise<DestroyedEpochs> {
  const name = destroyedEpochsName(userId)
  const read = async () => ((await device.get(name)) as Dated | undefined) ?? { n: 0, createdAt: 0 }
  const later = (one: Dated, other: Dated): Dated => ({
    n: Math.max(one.n, other.n),
    createdAt: Math.max(one.createdAt, other.createdAt),
  })
  let highest = await read()
  let isKept = true
  return {
    has({ n, createdAt }) {
      // A date ahead of now proves nothing: it was signed under a clock that was ahead.
      const isLater = createdAt > highest.createdAt && createdAt <= clock.now() + limits.clockTolerance
      return n <= highest.n && !isLater
    },
    raise({ n, createdAt }) {
      if (n === 0) return
      const raised = later(highest, { n, createdAt: Math.min(createdAt, clock.now()) })
      if (raised.n === highest.n && raised.createdAt === highest.createdAt) return
      highest = raised
      isKept = false
    },
    async keep() {
      if (isKept) return
      isKept = true
      try {
        // Another tab may have raised it meanwhile.
        highest = later(highest, await read())
        await device.set(name, highest)
      } catch (error) {
        isKept = false
        throw error
      }
    },
  }
}
