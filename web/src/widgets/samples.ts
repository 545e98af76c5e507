import samples from './samples.json'

/** A sample payload of each kind, as sent by the tools, for the tests and for screenshots. */
export interface Sample {
  name: string
  action: string
  payload: Record<string, unknown>
}

export const SAMPLES: Sample[] = samples
