import type { Client } from '@privity/client'
import { createStore } from '@privity/client/store'
import { queryClient } from '../queryClient.ts'
import { createHandOver, openHandedOver, type ReloadedPage } from './handOver.ts'

const takeTimeoutMs = 2_000

/** The time of the messages shown, while a page that was loaded without a network has not reached the server. */
export const shownAsOf = createStore<number | undefined>(undefined)

const post = (message: unknown, ports: Transferable[] = []) =>
  (navigator.serviceWorker as ServiceWorkerContainer | undefined)?.controller?.postMessage(message, ports)

interface Taken {
  value: ReloadedPage
  ageMs: number
}

function take(): Promise<Taken | undefined> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const answer = (taken?: Taken) => {
      port1.close()
      resolve(taken)
    }
    port1.addEventListener('message', ({ data }: MessageEvent<Taken | undefined>) => answer(data))
    port1.start()
    post({ type: 'take' }, [port2])
    setTimeout(answer, takeTimeoutMs)
  })
}

/** Opens what the page before has handed over. Returns whether there was anything that opens. */
export async function openReloaded(loadClient: () => Promise<Client>): Promise<boolean> {
  const taken = await take()
  if (!taken) return false
  try {
    const client = await loadClient()
    shownAsOf.set(taken.value.asOf)
    await openHandedOver(client, taken.value, taken.ageMs)
    return true
  } catch (error) {
    shownAsOf.set(undefined)
    queryClient.clear()
    console.error(error)
    return false
  }
}

function removeHandedOver(): void {
  shownAsOf.set(undefined)
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (workers?.controller) post({ type: 'forget' })
  // A page that was reloaded without the cache has no controller.
  else workers?.getRegistration().then((found) => found?.active?.postMessage({ type: 'forget' }), console.error)
}

/**
 * Hands the page over when it is left. Removes what was handed over when the server is reached, and when the account
 * closes.
 */
export function handOverAtLeaving(client: Client): void {
  let asOf = shownAsOf.get() ?? client.now()
  let before = client.live.get()
  client.live.subscribe(() => {
    const now = client.live.get()
    if (before === 'connected') asOf = client.now()
    if (now === 'connected') removeHandedOver()
    before = now
  })
  client.account.state.subscribe(() => client.account.state.get().status !== 'open' && removeHandedOver())
  addEventListener('pagehide', () => {
    const value = createHandOver(client, client.live.get() === 'connected' ? client.now() : asOf)
    if (value) post({ type: 'keep', value })
  })
}
