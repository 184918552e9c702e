import { keys, type OwnKeys } from '@privity/contract/keys'
import { expect } from 'vitest'
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
