import { createStore } from '@privity/client/store'
import { isCallError } from './callError.ts'

interface Question {
  answer: (isConfirmed: boolean) => void
}

/**
 * Creates a store of whether calls wait for reauthentication, and a wrapper that makes a call wait for it if the server
 * requires it. `cancelled` returns the message for a cancelled call.
 */
export function createIdentityQuestion(cancelled: () => string) {
  const waiting = createStore<readonly Question[]>([])

  /** Whether a call waits for the user's confirmation. */
  const identityQuestion = {
    get: () => waiting.get().length > 0,
    subscribe: waiting.subscribe,
    /** Settles all waiting calls at once. */
    answer(isConfirmed: boolean): void {
      const answered = waiting.get()
      waiting.set([])
      for (const question of answered) question.answer(isConfirmed)
    },
  }

  const ask = () => new Promise<boolean>((answer) => waiting.set([...waiting.get(), { answer }]))

  /** Has the shape of a CallError, so that screens show its message. */
  function notConfirmed(): Error {
    const sentence = cancelled()
    return Object.assign(new Error(sentence), { status: 0, code: 'NOT_CONFIRMED', sentence })
  }

  /** Runs `act`. If the server requires reauthentication, asks the user and runs `act` once more. */
  async function withIdentity<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      if (!isCallError(error) || error.code !== 'CONFIRMATION_NEEDED') throw error
      if (!(await ask())) throw notConfirmed()
      return act()
    }
  }

  return { identityQuestion, withIdentity }
}
