/** Opens code of Hadoop's RPC that is visible in its package alone. */
package org.apache.hadoop.ipc;
