/** For a Balancer or Mover, which is a process of its own: asks the NameNode which node belongs to which group. */
package org.hadoopmpsr.balancer;
