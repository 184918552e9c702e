import { CallError } from '../../../src/index.ts'
import type { Time } from '../sendingModel/time.ts'

/** `sends…`: of messages only, so that one is sealed before anything fails. */
export type NetworkState =
  | 'well'
  | 'slow'
  | 'offline'
  | 'answersLost'
  | 'questionsLost'
  | 'sendsLost'
  | 'sendAnswersLost'

const lostSends: Partial<Record<NetworkState, NetworkState>> = {
  sendsLost: 'questionsLost',
  sendAnswersLost: 'answersLost',
}

/** Carries the questions of one tab to the server and the answers back, as far as the network lets it. */
export function createTravel(deps: {
  time: Time
  random: () => number
  state: () => NetworkState
  isAlive: () => boolean
}) {
  const { time, random, state, isAlive } = deps
  const never = new Promise<never>(() => {})

  async function wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => time.afterElsewhere(ms, resolve))
    if (!isAlive()) await never
  }

  return async function travel<T>(answer: () => T, isSend = false): Promise<T> {
    const network = isSend ? (lostSends[state()] ?? state()) : state()
    if (!isAlive()) await never
    const takes = () => 1 + Math.floor(random() * (network === 'slow' ? 20_000 : 20))
    if (network === 'offline') throw new CallError('OFFLINE')
    if (network === 'questionsLost') {
      await wait(takes())
      throw new CallError('OFFLINE')
    }
    await new Promise<void>((resolve) => time.afterElsewhere(takes(), resolve))
    let result: T | undefined
    let refused: Error | undefined
    try {
      result = answer()
    } catch (error) {
      refused = error as Error
    }
    await wait(takes())
    if (network === 'answersLost') throw new CallError('OFFLINE')
    if (refused) throw refused
    return result as T
  }
}
