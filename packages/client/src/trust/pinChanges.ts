import type { Pin } from './pinList.ts'

const maxPreviousKeys = 8

export const firstPin = (identityKey: string, now: number): Pin => ({
  identityKey,
  previous: [],
  since: now,
  linked: false,
  verified: false,
  verifiedAt: 0,
  paused: false,
  pausedAt: 0,
})

/** Later than the change before, whatever the clock says: no browser that knows that one keeps it. */
const dateAfter = (before: number, now: number) => Math.max(now, before + 1)

const setVerified = (pin: Pin, verified: boolean, now: number): Pin => ({
  ...pin,
  verified,
  verifiedAt: dateAfter(pin.verifiedAt, now),
})

const setPaused = (pin: Pin, paused: boolean, now: number): Pin => ({
  ...pin,
  paused,
  pausedAt: dateAfter(pin.pausedAt, now),
})

/** Compared digits end a pause. */
export function verify(pin: Pin, name: string | undefined, now: number): Pin {
  const verified = { ...setVerified(pin, true, now), name }
  return pin.paused ? setPaused(verified, false, now) : verified
}

export const unverify = (pin: Pin, now: number): Pin => setVerified(pin, false, now)

/** Pauses sending because the digits do not match, so the contact is not verified either. */
export const pause = (pin: Pin, now: number): Pin => setPaused(unverify(pin, now), true, now)

export const resume = (pin: Pin, now: number): Pin => setPaused(pin, false, now)

/** Returns the pin with this key accepted; a different key starts unverified. */
export function acceptKey(pin: Pin | undefined, identityKey: string, now: number): Pin {
  if (!pin) return firstPin(identityKey, now)
  if (pin.identityKey === identityKey) return pin
  const previous = [pin.identityKey, ...pin.previous].slice(0, maxPreviousKeys)
  return { ...unverify(pin, now), identityKey, previous, linked: false, since: now }
}
