import { createContext } from 'react'

/** Whether the person let the map fetch tiles (`map.online`). Without it nothing is asked of the network. */
export const OnlineMap = createContext(false)
