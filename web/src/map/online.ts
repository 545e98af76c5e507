import { createContext } from 'react'

/**
 * Holds the setting `map.online`: true if the map may fetch tiles. Without it, the map makes no network
 * request.
 */
export const OnlineMap = createContext(false)
