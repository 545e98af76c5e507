module Parser (parse, Token (..)) where

import qualified Data.Map as Map

data Token = Word String | Number Int | Sign Char
  deriving (Show, Eq)

parse :: String -> Either String [Token]
parse [] = Right []
parse (c : rest)
  | isSpace c = parse rest
  | isDigit c = let (digits, more) = span isDigit (c : rest) in (Number (read digits) :) <$> parse more
  | otherwise = (Sign c :) <$> parse rest

counts :: [Token] -> Map.Map String Int
counts tokens = foldr (\token -> Map.insertWith (+) (show token) 1) Map.empty tokens
