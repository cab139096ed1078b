"""`python -m shelfread`."""

from shelfread.cli import main

if __name__ == "__main__":
    main()
