import { keys, type OwnKeys } from '@privity/contract/keys'
import { expect } from 'vitest'
import { createMemoryDevice } from '../../src/index.ts'
import { readBrowser } from '../../src/keys/browsers/storedBrowser.ts'
import type { Person, Tab } from './stage.ts'

/** The id of this browser, which the device keeps. */
export async function browserIdOf({ device }: Tab, { user }: Pick<Person, 'user'>): Promise<string> {
  return (await readBrowser(device, user.id))?.browserId ?? ''
}

/** The keys as the server returns them to a thief with the session's cookie, who names this browser. */
export async function keysFor(person: Person): Promise<OwnKeys> {
  return person.client.call(keys.getOwn, { query: { browser: await browserIdOf(person, person) } })
}

/** Waits until this browser is listed. */
export const browserListed = (person: Person) =>
  expect
    .poll(async () => (await keysFor(person)).browsers, { timeout: 20_000 })
    .toMatchObject({ isListed: true, isBound: true })

/** A copy of all that a browser keeps, its cookies included. */
export async function copyOf({ device, ...person }: Person): Promise<Person> {
  const copied = createMemoryDevice()
  for (const name of await device.names('')) await copied.set(name, await device.get(name))
  return { ...person, device: copied }
}
