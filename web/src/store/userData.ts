/** Data of the signed-in user that is kept outside of the app's store, by a feature with a store of its own. */
export interface UserData {
  /** Drops what was loaded. Text that the user has not saved may stay for the next sign-in. */
  reset: () => void
  /** Drops the text that the user has not saved, from the browser's storage as well. */
  discardUnsaved?: () => void
}

const holders: UserData[] = []

/** Has this data dropped when a session begins or ends. */
export function holdUserData(holder: UserData): void {
  holders.push(holder)
}

export function resetUserData(): void {
  for (const { reset } of holders) reset()
}

/** To be called when somebody else signs in. */
export function discardUnsaved(): void {
  for (const holder of holders) holder.discardUnsaved?.()
}
