import { isCallError } from './callError.ts'

interface Question {
  answer: (isConfirmed: boolean) => void
}

/** Asks who is there before a call that needs to know. `cancelled`: the sentence where that is not confirmed. */
export function createIdentityQuestion(cancelled: () => string) {
  let waiting: readonly Question[] = []
  const listeners = new Set<() => void>()

  function change(next: readonly Question[]): void {
    waiting = next
    for (const listener of listeners) listener()
  }

  /** Whether somebody waits to be asked who is there. */
  const identityQuestion = {
    get: () => waiting.length > 0,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** One answer for everything that waits. */
    answer(isConfirmed: boolean): void {
      const answered = waiting
      change([])
      for (const question of answered) question.answer(isConfirmed)
    },
  }

  const ask = () => new Promise<boolean>((answer) => change([...waiting, { answer }]))

  /** Has the shape of a failed call, so that screens show its sentence. */
  function notConfirmed(): Error {
    const sentence = cancelled()
    return Object.assign(new Error(sentence), { status: 0, code: 'NOT_CONFIRMED', sentence })
  }

  /** Runs `act`. Where the server wants to know first who uses this session, that is asked, and it runs again as it was. */
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
