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
/**
 * Runs one class of Hadoop's own tests and tells what became of each test; and, for the runs with MPSR, what it had to
 * do there. The class that runs tests needs nothing of MPSR, so that it also runs on a stock class path.
 */
@NullMarked
package org.hadoopmpsr.hadooptests;

import org.jspecify.annotations.NullMarked;
