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
package org.apache.hadoop.ipc;

/** The remote call that a thread carries out. */
public final class CurrentCall {

    private CurrentCall() {}

    /** False if the client of this thread's call has closed its connection. True without a call. */
    public static boolean isWanted() {
        Server.Call call = Server.getCurCall().get();
        return call == null || call.isOpen();
    }
}
