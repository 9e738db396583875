"""A line reader in each language: it answers each line with the same line, makes garbage, and ends with its input."""

from __future__ import annotations

C = """#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        char *p = malloc(10000);
        p[0] = line[0];
        free(p);
        fputs(line, stdout);
        fflush(stdout);
    }
    return 0;
}
"""
CPP = """#include <iostream>
#include <string>
#include <vector>
int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        std::vector<std::string> some(1000, line);
        std::cout << some.back() << std::endl;
    }
}
"""
PYTHON = """import sys
for line in sys.stdin:
    garbage = [[n] for n in range(10000)]
    print(line, end="", flush=True)
"""
JAVA = """import java.io.*;
import java.util.*;
public class Echo {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = in.readLine()) != null) {
            List<String> some = new ArrayList<>();
            for (int n = 0; n < 100000; n++) some.add(line + n);
            Collections.sort(some);
            System.out.println(line);
            System.out.flush();
        }
    }
}
"""
JAVASCRIPT = """const rl = require("readline").createInterface({ input: process.stdin });
rl.on("line", (line) => {
  const some = [];
  for (let n = 0; n < 100000; n++) some.push(line + n);
  some.sort();
  process.stdout.write(line + "\\n");
});
rl.on("close", () => process.exit(0));
"""
CSHARP = """using System;
using System.Collections.Generic;
class Echo {
    static void Main() {
        string line;
        while ((line = Console.ReadLine()) != null) {
            var some = new List<string>();
            for (int n = 0; n < 100000; n++) some.Add(line + n);
            Console.WriteLine(line);
            Console.Out.Flush();
        }
    }
}
"""
RUBY = """$stdout.sync = true
while (line = $stdin.gets)
  some = (0...10000).map { |n| line + n.to_s }
  print line
end
"""
HASKELL = """import System.IO
main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  text <- getContents
  mapM_ (\\l -> if sum (map fromEnum (concat (replicate 1000 l))) < 0 then return () else putStrLn l) (lines text)
"""
GO = """package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		some := []string{}
		for n := 0; n < 100000; n++ {
			some = append(some, fmt.Sprint(in.Text(), n))
		}
		fmt.Println(in.Text())
	}
}
"""
RUST = """use std::io::{self, BufRead, Write};
fn main() {
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let some: Vec<String> = (0..1000).map(|n| format!("{}{}", line, n)).collect();
        println!("{}", if some.is_empty() { "" } else { &line });
        io::stdout().flush().unwrap();
    }
}
"""
PERL = """$| = 1;
while (my $line = <STDIN>) { my @some = map { $line . $_ } 0 .. 10000; print $line; }
"""
PHP = """<?php
while (($line = fgets(STDIN)) !== false) { $some = array_fill(0, 10000, $line); echo $line; flush(); }
"""
LUA = """for line in io.lines() do
  local some = {}
  for n = 1, 10000 do some[n] = line .. n end
  print(line)
  io.stdout:flush()
end
"""
PASCAL = """program Echo;
var line: string;
begin
  while not eof do begin readln(line); writeln(line); flush(output) end
end.
"""
BASH = """while IFS= read -r line; do printf '%s\\n' "$line"; done
"""

ECHO = {
    "c": ("echo.c", C),
    "c-clang": ("echo.c", C),
    "cpp": ("echo.cpp", CPP),
    "cpp-clang": ("echo.cpp", CPP),
    "python": ("echo.py", PYTHON),
    "java": ("Echo.java", JAVA),
    "javascript": ("echo.js", JAVASCRIPT),
    "csharp": ("echo.cs", CSHARP),
    "csharp-dotnet": ("echo.cs", CSHARP),
    "ruby": ("echo.rb", RUBY),
    "haskell": ("echo.hs", HASKELL),
    "go": ("echo.go", GO),
    "rust": ("echo.rs", RUST),
    "perl": ("echo.pl", PERL),
    "php": ("echo.php", PHP),
    "lua": ("echo.lua", LUA),
    "pascal": ("echo.pas", PASCAL),
    "bash": ("echo.sh", BASH),
}
"""Toolchain → the source's name and text."""
