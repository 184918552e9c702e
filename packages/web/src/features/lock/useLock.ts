import { useEffect } from 'react'
import type { Client } from '@privity/client'
import { savesBeforeLock } from '../../app/lockTime.ts'
import { isControlShift } from '../../browser/shortcut.ts'
import { useStore } from '../../ui/useStore.ts'
import { lockAfter, setLockAfter } from './lockAfter.ts'
import { watchUse } from './watchUse.ts'

/** Typed text that a conversation is just storing may delay the lock for no longer than this. */
const saveTimeoutMs = 500

async function saveTexts(): Promise<void> {
  const saved = Promise.all([...savesBeforeLock].map((save) => save()))
  await Promise.race([saved, new Promise((resolve) => setTimeout(resolve, saveTimeoutMs))])
}

async function saveAndLock({ account }: Pick<Client, 'account'>): Promise<void> {
  try {
    await saveTexts()
  } finally {
    await account.lock()
  }
}

/** Locks this browser in all its tabs, once typed text is stored. */
export const lockNow = (client: Pick<Client, 'account'>): void =>
  void saveAndLock(client).catch((error: unknown) => console.error(error))

const isRunning = ({ phase }: { phase: string }) => !['done', 'failed', 'cancelled'].includes(phase)

/**
 * Locks by the shortcut, and after the time without use that is set for this browser. `longest`: the organization's
 * limit in minutes; 0: none.
 */
export function useLock(client: Client, longest: number): void {
  const minutes = useStore(lockAfter)
  useEffect(() => {
    if (longest > 0 && (minutes === 0 || minutes > longest)) setLockAfter(longest)
  }, [minutes, longest])
  useEffect(() => {
    const lock = () => lockNow(client)
    const pressed = (event: KeyboardEvent) => {
      if (!isControlShift(event, 'l')) return
      event.preventDefault()
      lock()
    }
    addEventListener('keydown', pressed)
    const stop = watchUse(lock, () => client.files.transfers.get().some(isRunning))
    return () => {
      removeEventListener('keydown', pressed)
      stop()
    }
  }, [client, minutes])
}
