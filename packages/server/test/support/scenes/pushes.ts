import { createECDH, randomBytes } from 'node:crypto'
import { push, type PushSubscription } from '@privity/contract/push'
import type { Caller } from '../server/caller.ts'

/** A browser's end of a subscription. */
export interface PushBrowser {
  subscription: PushSubscription
  privateKey: Buffer
}

/** Makes the keys of a subscription at an address of `host`. */
export function makeSubscription(host = 'fcm.googleapis.com', path = randomBytes(12).toString('hex')): PushBrowser {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return {
    subscription: {
      endpoint: `https://${host}/push/${path}`,
      p256dh: pair.getPublicKey('base64url'),
      auth: randomBytes(16).toString('base64url'),
    },
    privateKey: pair.getPrivateKey(),
  }
}

export async function subscribe(member: Caller, host?: string): Promise<PushBrowser> {
  const browser = makeSubscription(host)
  await member.call(push.subscribe, { body: browser.subscription })
  return browser
}
