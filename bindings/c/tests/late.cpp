// Calls that fail while their thread ends, when what a library keeps for the thread may be gone.
#include "karat.h"

#include <cstdlib>
#include <thread>

struct Late {
    int made = 0;
    ~Late() {
        bool failed = karat_hash("none", nullptr, nullptr, 0, nullptr, 0) == KARAT_ARGUMENT;
        if (made != 1 || !failed || karat_message()[0] == '\0') abort();
    }
};

static thread_local Late late;

int main() {
    std::thread([] {
        late.made = 1;
        // What the library keeps is made after `late`, so it goes before.
        if (karat_hash("none", nullptr, nullptr, 0, nullptr, 0) != KARAT_ARGUMENT) abort();
    }).join();
}
