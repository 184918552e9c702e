import { isCallError } from './callError.ts'

interface Question {
  answer: (isConfirmed: boolean) => void
}

/** Asks for reauthentication before calls that require it. `cancelled` returns the message for a cancelled one. */
export function createIdentityQuestion(cancelled: () => string) {
  let waiting: readonly Question[] = []
  const listeners = new Set<() => void>()

  function change(next: readonly Question[]): void {
    waiting = next
    for (const listener of listeners) listener()
  }

  /** Whether a call waits for the user's confirmation. */
  const identityQuestion = {
    get: () => waiting.length > 0,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Settles all waiting calls at once. */
    answer(isConfirmed: boolean): void {
      const answered = waiting
      change([])
      for (const question of answered) question.answer(isConfirmed)
    },
  }

  const ask = () => new Promise<boolean>((answer) => change([...waiting, { answer }]))

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
