import samples from './samples.json'

/** One payload of each kind, as the tools send them: for the tests and for pictures of the app. */
export interface Sample {
  name: string
  action: string
  payload: Record<string, unknown>
}

export const SAMPLES: Sample[] = samples
