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
package org.hadoopmpsr.mount.fuse;

/** Error numbers of Linux, as programs see them. */
public enum Errno {
    EPERM(1),
    ENOENT(2),
    EINTR(4),
    EIO(5),
    E2BIG(7),
    EBADF(9),
    ENOMEM(12),
    EACCES(13),
    EBUSY(16),
    EEXIST(17),
    EXDEV(18),
    ENOTDIR(20),
    EISDIR(21),
    EINVAL(22),
    ENOSPC(28),
    EROFS(30),
    ERANGE(34),
    ENAMETOOLONG(36),
    ENOSYS(38),
    ENOTEMPTY(39),
    ENODATA(61),
    EPROTO(71),
    EOPNOTSUPP(95),
    EHOSTDOWN(112),
    ESTALE(116),
    EDQUOT(122);

    private final int number;

    Errno(int number) {
        this.number = number;
    }

    /** The number, above 0. */
    public int number() {
        return number;
    }
}
