import { type AccountKey, openPrivate, sealPrivate } from '@privity/e2ee'
import type { Device } from '../device/device.ts'
import { metContactsName } from '../device/storageNames.ts'
import type { Tabs } from '../device/tabs.ts'
import { metContactsBinding } from '../keys/aad.ts'

/** Keeps what a browser stores small; whoever falls out is asked about again. */
const maxMet = 2_000

/** A contact under their connection: the server could show somebody else under the same one. */
export interface MetContact {
  userId: string
  connectionId: string
}

/**
 * The contacts about whom the user has decided in this browser, encrypted under the account key. It asks before it
 * first sends to anybody else, because the server may have kept from it which key the user has accepted.
 */
export interface MetContacts {
  has(contact: MetContact): Promise<boolean>
  add(contact: MetContact): Promise<void>
}

/** `everyone`: the account was created in this browser, from which no earlier list can be kept. */
type Stored = 'everyone' | readonly string[]

const nameOf = ({ userId, connectionId }: MetContact) => `${connectionId}/${userId}`

export async function openMetContacts(
  { device, tabs }: { device: Device; tabs: Pick<Tabs, 'runExclusive'> },
  { userId, accountKey, isNew }: { userId: string; accountKey: AccountKey; isNew: boolean },
): Promise<MetContacts> {
  const name = metContactsName(userId)
  const binding = metContactsBinding(userId)
  let known: Stored = []
  /** If saving fails, this page still knows them. */
  const here = new Set<string>()

  async function read(): Promise<Stored> {
    const sealed = await device.get(name)
    if (typeof sealed !== 'string') return known
    const plain = await openPrivate(accountKey, binding, sealed).catch(() => undefined)
    return plain ? (JSON.parse(new TextDecoder().decode(plain)) as Stored) : known
  }

  async function write(met: Stored): Promise<void> {
    known = met
    await device.set(name, await sealPrivate(accountKey, binding, new TextEncoder().encode(JSON.stringify(met))))
  }

  const includes = (contact: MetContact) =>
    known === 'everyone' || known.includes(nameOf(contact)) || here.has(nameOf(contact))

  if (isNew) await write('everyone')
  else known = await read()
  return {
    async has(contact) {
      if (includes(contact)) return true
      // Another tab may have met them.
      known = await read()
      return includes(contact)
    },
    async add(contact) {
      const added = nameOf(contact)
      here.add(added)
      const save = async () => {
        known = await read()
        if (known !== 'everyone' && !known.includes(added)) await write([...known, added].slice(-maxMet))
      }
      await tabs.runExclusive(`privity-${name}`, save).catch(() => {})
    },
  }
}
