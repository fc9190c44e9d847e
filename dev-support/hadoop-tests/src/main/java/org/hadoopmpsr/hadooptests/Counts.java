/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.hadooptests;

import java.util.concurrent.atomic.AtomicLong;

/** What MPSR had to do in this process: shows that a test that passed did meet it. */
final class Counts {
    /** NameNodes that ran MPSR, starts counted. */
    static final AtomicLong NAME_NODES = new AtomicLong();
    /** Directories that became datasets. */
    static final AtomicLong DATASETS = new AtomicLong();
    /** Files that were created in datasets. */
    static final AtomicLong FILES = new AtomicLong();
    /** Blocks of datasets that got their place. */
    static final AtomicLong BLOCKS = new AtomicLong();

    private Counts() {}

    static String all() {
        return "nameNodes=" + NAME_NODES + " datasets=" + DATASETS + " files=" + FILES + " blocks=" + BLOCKS;
    }
}
