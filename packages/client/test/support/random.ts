/** Numbers from 0 to 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 0x7fff_ffff
    return state / 0x7fff_ffff
  }
}
